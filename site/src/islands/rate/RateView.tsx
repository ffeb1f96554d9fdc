import { type Shown, shownMetric } from "./rating-session.ts";

/** One metric of an answer, with the key of each level. */
export const RateView = ({ shown }: { shown: Shown }) => {
  const { task, at, scores, progress } = shown;
  const { id, label, task: asked, levels, notAbout } = shownMetric(shown);
  return (
    <>
      <p class="soft" role="status">
        {`Answer ${progress.rated + 1} of ${progress.total}, metric ${at + 1} of ${task.metrics.length}`}
      </p>
      <div class="rate">
        <div>
          {task.sections.map(({ name, text }) => (
            <section aria-label={name}>
              <h2>{name}</h2>
              <pre class="wrap">{text}</pre>
            </section>
          ))}
        </div>
        <fieldset>
          <legend>{label}</legend>
          <p>{asked}</p>
          {levels.map(([score, text], i) => (
            <label class="radio">
              <input type="radio" name="score" value={score} checked={score === scores[id]} />
              <kbd>{i + 1}</kbd> <span>{text}</span>
            </label>
          ))}
          {notAbout.length > 0 && <p class="soft">Not about: {notAbout.join("; ")}.</p>}
        </fieldset>
      </div>
    </>
  );
};
