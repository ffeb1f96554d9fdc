/** Objects of answers to so many samples each, and rows of about the size of a sample's. */
const ANSWER = "x".repeat(1_500);
const ROW = { id: "sample-1234", status: "scored", score: 0.875, object: "runs/run_0/0.json" };
const AT_ONCE = 12;

/** How often a run calls D1 and R2, and how many samples it stores. */
interface Calls {
  d1Calls: number;
  puts: number;
  gets: number;
  samples: number;
}

/** Calls D1 and R2 so often, with the samples spread over the calls, as twelve lanes do. */
export async function storeAlone(env: Env, { d1Calls, puts, gets, samples }: Calls): Promise<void> {
  await env.DB.prepare("CREATE TABLE IF NOT EXISTS alone (seq, id, status, score, object)").run();
  const perCall = Math.ceil(samples / d1Calls);
  const perObject = Math.ceil(samples / puts);
  const answers = JSON.stringify(new Array<string>(perObject).fill(ANSWER));
  await atOnce(d1Calls, async (i) => {
    const rows = Array.from({ length: perCall }, (_, k) => ({ ...ROW, seq: i * perCall + k }));
    await env.DB.batch([
      env.DB.prepare(INSERT).bind(JSON.stringify(rows)),
      env.DB.prepare("SELECT count(*) FROM alone WHERE seq = ?").bind(i),
    ]);
  });
  await atOnce(puts, async (i) => void (await env.RESULTS.put(`alone/${i}`, answers)));
  await atOnce(
    gets,
    async (i) => void (await (await env.RESULTS.get(`alone/${i % puts}`))?.json()),
  );
  await env.DB.prepare("DROP TABLE alone").run();
}

const INSERT = `INSERT INTO alone SELECT value ->> 'seq', value ->> 'id', value ->> 'status',
  value ->> 'score', value ->> 'object' FROM json_each(?)`;

async function atOnce(count: number, work: (i: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let i = next++; i < count; i = next++) await work(i);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
