import { formatCount } from "../../format/number.ts";
import type { Shown } from "./rating-session.ts";

/** One metric of an answer, with the key of each level. */
export const RateView = ({ task, metric, place, places, given, progress }: Shown) => (
  <>
    <p class="soft" role="status">
      Answer {formatCount(progress.rated + 1)} of {formatCount(progress.total)}, metric {place} of{" "}
      {places}
    </p>
    <div class="rate">
      <div>
        {task.sections.map(({ name, text }) => (
          <section aria-label={name}>
            <h2>{name}</h2>
            <pre class="rate-text">{text}</pre>
          </section>
        ))}
      </div>
      <fieldset>
        <legend>{metric.label}</legend>
        <p>{metric.task}</p>
        {metric.levels.map(({ score, text }, i) => (
          <label class="rate-level">
            <input type="radio" name="score" value={score} checked={score === given} />
            <kbd>{i + 1}</kbd> <span>{text}</span>
          </label>
        ))}
        {metric.notAbout.length > 0 && <p class="soft">Not about: {metric.notAbout.join("; ")}.</p>}
      </fieldset>
    </div>
  </>
);
