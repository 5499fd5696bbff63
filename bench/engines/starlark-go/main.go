// A contestant of the bench: starlark-go, which speaks the protocol of contestant.mjs.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/starlarkjson"
)

type request struct {
	Op    string
	Text  string
	Times int
}

var statuses = []string{"open", "closed", "pending", "merged"}

// record makes the answer of the tool as a Starlark dict.
func record(x int) starlark.Value {
	d := starlark.NewDict(10)
	set := func(name string, v starlark.Value) { d.SetKey(starlark.String(name), v) }
	owner := starlark.NewDict(2)
	owner.SetKey(starlark.String("login"), starlark.String(fmt.Sprintf("user%d", x%50)))
	owner.SetKey(starlark.String("level"), starlark.MakeInt(x%5))
	set("id", starlark.MakeInt(x))
	set("name", starlark.String(fmt.Sprintf("item-%d", x)))
	set("active", starlark.Bool(x%3 != 0))
	set("score", starlark.Float(float64(x)*1.5))
	set("count", starlark.MakeInt(x*7%1000))
	set("status", starlark.String(statuses[x%4]))
	set("tags", starlark.NewList([]starlark.Value{
		starlark.String("a"), starlark.String("b"), starlark.String(fmt.Sprintf("t%d", x%10))}))
	set("owner", owner)
	set("created", starlark.String("2024-01-01T00:00:00Z"))
	set("note", starlark.None)
	return d
}

func tool(name string, delay time.Duration) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var x int
		if err := starlark.UnpackArgs(b.Name(), args, kwargs, "x", &x); err != nil {
			return nil, err
		}
		time.Sleep(delay)
		return record(x), nil
	})
}

func run(text string) (string, error) {
	predeclared := starlark.StringDict{
		"json": starlarkjson.Module,
		"tool": tool("tool", 0), "slow": tool("slow", 100*time.Millisecond), "wait": tool("wait", time.Second),
	}
	globals, err := starlark.ExecFile(&starlark.Thread{}, "program", text, predeclared)
	if err != nil {
		return "", err
	}
	encode := starlarkjson.Module.Members["encode"]
	out, err := starlark.Call(&starlark.Thread{}, encode, starlark.Tuple{globals["result"]}, nil)
	if err != nil {
		return "", err
	}
	return string(out.(starlark.String)), nil
}

func answer(r request) map[string]interface{} {
	times := []float64{}
	result := ""
	var failed error
	since := func(t time.Time) float64 { return float64(time.Since(t).Nanoseconds()) / 1e6 }
	if r.Op == "at-once" {
		begun := time.Now()
		var all sync.WaitGroup
		for i := 0; i < r.Times; i++ {
			all.Add(1)
			go func() {
				defer all.Done()
				if _, err := run(r.Text); err != nil {
					failed = err
				}
			}()
		}
		all.Wait()
		times = append(times, since(begun))
	} else {
		for i := 0; i < r.Times && failed == nil; i++ {
			begun := time.Now()
			result, failed = run(r.Text)
			times = append(times, since(begun))
		}
	}
	if failed != nil {
		return map[string]interface{}{"error": failed.Error()}
	}
	return map[string]interface{}{"ms": times, "result": json.RawMessage("[" + result + "]")}
}

func main() {
	resolve.AllowSet = true
	resolve.AllowGlobalReassign = true
	resolve.AllowRecursion = true
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		json.Unmarshal(line, &r)
		out, _ := json.Marshal(answer(r))
		fmt.Println(string(out))
	}
}
