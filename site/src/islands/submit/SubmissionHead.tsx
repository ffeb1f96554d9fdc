import { paths } from "../../data/paths.ts";

/** Above the runs of a submission. */
export const SubmissionHead = ({ id }: { id: string }) => (
  <>
    <h2 id="outcome-title" tabindex={-1}>
      Progress
    </h2>
    <p class="prose">
      Submission <code>{id}</code>. The address of this page leads back here; it may be closed
      meanwhile.
    </p>
    <p class="field-error" data-trouble />
    <div class="run-places" data-runs />
  </>
);

/** In place of the progress of a submission that the service does not have. */
export const UnknownSubmission = ({ id }: { id: string }) => (
  <>
    <h2 id="outcome-title" tabindex={-1}>
      No submission “{id}”
    </h2>
    <p class="prose">
      The service has none under this id. Compare the id in this page's address with the one that
      the submission was answered with: it begins with <code>sub_</code>. Public runs that have
      ended are found by their model on <a href={paths.leaderboards}>the leaderboards</a>; any run
      can be <a href={paths.viewer}>opened by its own id</a>. The form above starts a new
      submission.
    </p>
  </>
);
