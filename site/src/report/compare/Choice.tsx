import { type Compared, markedNames, rankedRuns } from "./compared.ts";

interface Props {
  label: string;
  /** Label of the list. */
  name: string;
  options: readonly { value: string; label: string }[];
  chosen: string | null;
}

/** A list to choose what is shown. */
export const Choice = ({ label, name, options, chosen }: Props) => (
  <label class="field">
    {label}
    <select data-shows={name} autocomplete="off">
      {options.map((option) => (
        <option value={option.value} selected={option.value === chosen}>
          {option.label}
        </option>
      ))}
    </select>
  </label>
);

/** One of the compared runs, the best first. */
export const RunChoice = ({
  compared: { comparison },
  ...more
}: Omit<Props, "options"> & { compared: Compared }) => {
  const names = markedNames(comparison);
  const options = rankedRuns(comparison).map(({ run }) => ({
    value: run,
    label: names.get(run) ?? run,
  }));
  return <Choice options={options} {...more} />;
};
