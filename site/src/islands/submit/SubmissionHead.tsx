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
