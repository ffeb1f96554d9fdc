#!/bin/sh
# Has a model evaluated and prints its run. Needs curl.
# Set ENDPOINT_URL and MODEL; ENDPOINT_KEY, ASSAY_URL and ASSAY_API_KEY as needed.
set -eu
assay=${ASSAY_URL:-http://localhost:8787}

run=$(curl -sS --fail-with-body "$assay/v1/submissions" \
  ${ASSAY_API_KEY:+-H "authorization: Bearer $ASSAY_API_KEY"} \
  -H 'content-type: application/json' -d @- <<JSON | sed -n 's/.*"runs":\[{"id":"\([^"]*\)".*/\1/p'
{
  "suite": "extraction",
  "dataset": "stock",
  "models": [{
    "name": "$MODEL",
    "endpoint": {"baseUrl": "$ENDPOINT_URL", "model": "$MODEL", "apiKey": "${ENDPOINT_KEY:-none}"}
  }],
  "options": {"sample": {"n": 10, "seed": 42}}
}
JSON
)
test -n "$run"

until curl -sS --fail-with-body "$assay/v1/runs/$run" | grep -Eq '"finishedAt":"|"status":"paused"'; do
  sleep 2
done
curl -sS --fail-with-body "$assay/v1/runs/$run"
