// A linked list that is walked until V8 compiles the walk.
function next(p) { return p.next; }
function sum(list) {
  let total = 0;
  for (let p = list; p !== null; p = next(p)) total += p.value;
  return total;
}
let list = null;
for (let i = 0; i < 1000; i++) list = { value: i, next: list };
let total = 0;
for (let i = 0; i < 2000; i++) total += sum(list);
console.log(total);
