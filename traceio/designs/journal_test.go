package designs

import (
	"strings"
	"testing"
)

// float is the distribution of a number, kinds that of a choice, as Optuna writes them.
const (
	float = `"{\"name\": \"FloatDistribution\", \"attributes\": {\"step\": null, \"low\": 0.0, \"high\": 4.0, \"log\": false}}"`
	kinds = `"{\"name\": \"CategoricalDistribution\", \"attributes\": {\"choices\": [\"lru\", null, 7]}}"`
)

// study is a journal of one study with two objectives, of which the second is maximised.
const study = `{"op_code": 0, "worker_id": "w", "study_name": "s", "directions": [1, 2]}
{"op_code": 3, "worker_id": "w", "study_id": 0, "system_attr": {"a": [1]}}
{"op_code": 4, "worker_id": "w", "study_id": 0, "datetime_start": "2026-01-01T00:00:00.000000"}
{"op_code": 5, "worker_id": "w", "trial_id": 0, "param_name": "x", "param_value_internal": 1.5, "distribution": ` + float + `}
{"op_code": 4, "worker_id": "v", "study_id": 0, "datetime_start": "2026-01-01T00:00:01.000000"}
{"op_code": 5, "worker_id": "w", "trial_id": 0, "param_name": "policy", "param_value_internal": 0.0, "distribution": ` + kinds + `}
{"op_code": 9, "worker_id": "w", "trial_id": 0, "system_attr": {"NSGAIISampler:generation": 0}}
{"op_code": 5, "worker_id": "v", "trial_id": 1, "param_name": "policy", "param_value_internal": 2.0, "distribution": ` + kinds + `}
{"op_code": 9, "worker_id": "v", "trial_id": 1, "system_attr": {"NSGAIISampler:generation": 1}}
{"op_code": 6, "worker_id": "w", "trial_id": 0, "state": 1, "values": [3.0, 0.25], "datetime_complete": "2026-01-01T00:00:02.000000"}
{"op_code": 6, "worker_id": "v", "trial_id": 1, "state": 1, "values": [2.0, 0.5]}
`

var journals = []struct{ name, text, want string }{
	{"a study", study, "params_policy[lru 7] params_x[1.5 none] values_0(min) values_1(max) \n0: lru 1.5 3 0.25 " +
		"@[0]\n1: 7 none 2 0.5 @[1]"},
	{"a tail that is cut", study + `{"op_code": 4, "worker_id": "w", "stu`, "params_policy[lru 7] params_x[1.5 none] " +
		"values_0(min) values_1(max) \n0: lru 1.5 3 0.25 @[0]\n1: 7 none 2 0.5 @[1]\n" +
		"row 12 (line 12): the rest of the journal cannot be read (unexpected EOF); was it cut?"},
	{"trials that did not end", study + `{"op_code": 4, "study_id": 0}
{"op_code": 9, "trial_id": 2, "system_attr": {"NSGAIISampler:generation": 1}}
{"op_code": 4, "study_id": 0, "state": 3, "values": null, "value": null, "params": {"x": 1}, "distributions": {"x": ` + float + `}, "system_attrs": {"NSGAIISampler:generation": 1}}
`, "params_policy[lru 7] params_x[1.5 none] values_0(min) values_1(max) \n0: lru 1.5 3 0.25 @[0]\n1: 7 none 2 0.5 @[1]\n" +
		"row 3, column state: the evaluation ended as RUNNING\nrow 4, column state: the evaluation ended as FAIL"},
	{"trials added whole, of studies with one objective, one deleted",
		`{"op_code": 0, "study_name": "gone", "directions": [1]}
{"op_code": 4, "study_id": 0, "state": 1, "value": 9.5, "values": null, "params": {"x": 1}, "distributions": {"x": ` + float + `}}
{"op_code": 1, "study_id": 0}
{"op_code": 0, "study_name": "a", "directions": [1]}
{"op_code": 0, "study_name": "b", "directions": [1]}
{"op_code": 0, "study_name": "b", "directions": [2]}
{"op_code": 4, "study_id": 1, "state": 1, "value": 1.5, "values": null, "params": {"x": 1}, "distributions": {"x": ` + float + `}}
{"op_code": 4, "study_id": 2, "state": 1, "value": NaN, "values": null, "params": {"x": 1}, "distributions": {"x": ` + float + `}}
{"op_code": 4, "study_id": 2, "state": 1, "value": 2.5, "values": null, "params": {"x": 2}, "distributions": {"x": ` + float + `}}
{"op_code": 4, "study_id": 7, "state": 1, "value": 2.5}
{"op_code": 6, "trial_id": 70, "state": 1}
{"op_code": 77, "study_id": "seven"}
`, "study[a b] params_x[1 2] values_0(min) \n1: a 1 1.5\n3: b 2 2.5\nrow 12 (line 12), column study_id: this operation of the journal cannot be read\nrow 2, column values_0: is NaN"},
	{"studies with other objectives", study + `{"op_code": 0, "study_name": "t", "directions": [1]}
{"op_code": 4, "study_id": 1, "state": 1, "value": 1}
`, "study[s] params_policy[lru 7] params_x[1.5 none] values_0(min) values_1(max) \n0: s lru 1.5 3 0.25 @[0]\n1: s 7 none 2 0.5 @[1]\n" +
		"row 3: it belongs to study t, which has other objectives than s"},
}

// Optuna's journals are replayed.
func TestJournals(t *testing.T) {
	for _, c := range journals {
		t.Run(c.name, func(t *testing.T) {
			if got := brief(guessed(t, c.text)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	for _, c := range [][2]string{
		{`{"op_code": 0, "study_name": "s", "directions": [1]}`, "x: the journal of Optuna has no trials; was it cut?"},
		{"SQLite format 3\x00\x10\x00", "x: it is an SQLite database; a study of Optuna is read when it is written as " +
			"JSON: optuna trials --storage sqlite:///x --study-name NAME -f json > trials.json; optuna studies lists the names"},
	} {
		if _, err := Read(strings.NewReader(c[0]), "x"); err == nil || err.Error() != c[1] {
			t.Errorf("%q: %v, want %s", c[0], err, c[1])
		}
	}
}
