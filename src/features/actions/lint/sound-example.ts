/** A plan in which a step uses the output of one before it, and says so: what several rules show as a good example. */
export const SOUND_EXAMPLE = `{
  "goal": "Tell the balance",
  "steps": [
    { "id": "query", "tool": "db.query_ro", "parameters": { "query": "SELECT balance FROM accounts" }, "on_fail": "abort" },
    { "id": "tell", "tool": "notify.email", "parameters": { "body": "You have {{query.result.balance}}" }, "depends_on": ["query"], "on_fail": "abort" }
  ]
}`;
