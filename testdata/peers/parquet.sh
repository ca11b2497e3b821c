#!/bin/sh
# Reads what `orrery export` writes as Parquet with DuckDB, whose reader is its own, and compares every record with what the same
# recording says as CSV: references and events, of each recording named, by default one of a heap, one of real work and one of
# threads. Prints the schema that DuckDB sees, the number of records and the seconds that a query takes.
#
#     testdata/peers/parquet.sh [RECORDING...]        from the root of the repository
#
# Needs Go and Debian's nodejs and npm (installed when they are missing); DuckDB comes from npm.
set -eu
"${0%/*}/../need.sh" npm nodejs npm
[ $# -gt 0 ] || set -- testdata/recordings/list.orr testdata/recordings/lua-queens.orr testdata/recordings/sharing-packed.orr
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
go build -o "$work/orrery" ./app/orrery
npm install --silent --no-audit --no-fund --prefix "$work" @duckdb/node-api >/dev/null
cat >"$work/compare.mjs" <<'END'
import { DuckDBInstance } from '@duckdb/node-api'

const db = await (await DuckDBInstance.create(':memory:')).connect()
const rows = async (query) => (await db.runAndReadAll(query)).getRowsJson()
const [parquet, csv] = process.argv.slice(2)
const schema = await rows(`describe select * from '${parquet}'`)
// all numbers are compared as such; what has no value is an empty field in CSV
const select = (field) => schema.map(([name, type]) => type === 'VARCHAR' ? `"${name}"` : `cast(${field(name)} as ubigint) as "${name}"`).join(', ')
const ours = select((name) => `"${name}"`), theirs = select((name) => `nullif("${name}", '')`)
await db.run(`create table p as select ${ours} from '${parquet}'`)
await db.run(`create table t as select ${theirs} from read_csv('${csv}', all_varchar = true, header = true, nullstr = '\\N')`)
const count = async (query) => Number((await rows(`select count(*) from (${query})`))[0][0])
const n = await count('select * from p'), m = await count('select * from t')
const left = await count('select * from p except all select * from t'), right = await count('select * from t except all select * from p')
const start = performance.now()
await rows(`select ${schema[2][0]}, count(*) from '${parquet}' group by all`)
const seconds = (performance.now() - start) / 1000
console.log(`  ${schema.map(([name, type]) => name + ' ' + type).join(', ')}`)
console.log(`  ${n} records as Parquet, ${m} as CSV; ${left} and ${right} differ; a query over all takes ${seconds.toFixed(3)} s`)
if (n !== m || n === 0 || left + right > 0) process.exit(1)
END
for recording; do
    for what in references events; do
        events=
        [ $what = references ] || events=--events
        "$work/orrery" export "$recording" $events -o "$work/$what.parquet" 2>/dev/null
        "$work/orrery" export "$recording" $events -o "$work/$what.csv" 2>/dev/null
        echo "$recording, $what: $(wc -c <"$work/$what.parquet") bytes as Parquet, $(wc -c <"$work/$what.csv") as CSV"
        (cd "$work" && node compare.mjs "$what.parquet" "$what.csv")
    done
done
echo "DuckDB reads every record as it is"
