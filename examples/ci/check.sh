#!/usr/bin/env bash
# usage: check.sh REQUIREMENTS POLICY
set -euo pipefail
requirements=$1
policy=$2

plan list --json |
  node -e 'for (const { id } of JSON.parse(require("node:fs").readFileSync(0, "utf8")).plans) console.log(id)' |
  while read -r id; do plan validate "$id"; done

shopt -s nullglob
action_plans=(.plans/actions/*.json)
if [ ${#action_plans[@]} -gt 0 ]; then plan lint "${action_plans[@]}" --policy "$policy"; fi

plan coverage --source "$requirements"
