#!/usr/bin/env bash
# The step of the action: index, gate, write the reports and the outputs. The exit code is an output of its own (`code`),
# so that the reports are uploaded before the job fails by it. Reads GATE_* and the runner's GITHUB_* variables.
set -uo pipefail
config=${GATE_CONFIG:-.llm-reliability.yaml}
report=.gate/report
mkdir -p "$report"
rm -f "$report"/*

output() { printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; }

end() {
    output code "$1"
    exit 0
}

paths=()
if [ -n "${GATE_DOCS:-}" ]; then
    read -r -d '' -a paths <<<"$GATE_DOCS" || true
fi
gate ingest --config "$config" -- ${paths[@]+"${paths[@]}"}
code=$?
if [ "$code" -ne 0 ]; then
    echo "::error title=LLM reliability gate::not every document could be indexed, so nothing was judged (exit code $code)"
    end "$code"
fi

baseline=()
case ${GATE_BASELINE:-} in
'') ;;
auto)
    # On the base branch itself there is nothing to compare with: its verdict becomes the new baseline.
    if [ "${GITHUB_EVENT_NAME:-}" = pull_request ] && [ -f .gate/baseline.json ]; then
        baseline=(--baseline .gate/baseline.json)
    fi
    ;;
*) baseline=(--baseline "$GATE_BASELINE") ;;
esac

gate run --config "$config" --fail-on "${GATE_FAIL_ON:-block}" ${baseline[@]+"${baseline[@]}"} \
    -o "$report/verdict.json" -o "$report/report.html" -o "$report/verdict.sarif" \
    -o "$report/junit.xml" -o "$report/comment.md"
code=$?
if [ -f "$report/verdict.json" ]; then
    python - "$report/verdict.json" >>"$GITHUB_OUTPUT" <<'PY'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    verdict = json.load(file)
print("decision=" + verdict["decision"])
print("score=" + ("" if verdict["score"] is None else str(verdict["score"])))
PY
    output report "$report/report.html"
    # Only a decided run on a branch (not a pull request) is a bar for others.
    if [ "${GITHUB_EVENT_NAME:-}" = push ] && [ "$code" -le 1 ]; then
        cp "$report/verdict.json" .gate/baseline.json
        output store true
    fi
fi
end "$code"
