#!/usr/bin/env bash
# render.sh EVALRUN DATABASE FOLDER: writes the sample reports of the stored runs `quickstart` and `meal-planner`.
set -euo pipefail
evalrun=$1 database=$2 folder=$3
sample() { # FILE COMMAND...
  local file=$1
  shift
  "$evalrun" "$@" --db "$database" --format "${file##*.}" --output "$folder/$file"
  echo "$folder/$file"
}
policies=Suites/meal-planner/policies
for format in html md json csv; do sample "quickstart.$format" report quickstart; done
sample meal-planner.html report meal-planner
sample meal-planner.md report meal-planner
sample compare.html compare meal-planner --target on-device --target cloud
sample replay.html route replay meal-planner --policy $policies/careful.json --policy $policies/naive.json --no-fail 2>/dev/null
sample sweep.html route sweep meal-planner --policy Suites/meal-planner/policies/threshold.json \
  --vary "rules[0].when.tokensIn.atMost=0:400:10" --optimize quality
