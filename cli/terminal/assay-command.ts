/** How a person types a command of `assay`: npx is needed where npx was used, because the package is not on the path. */
export const assayCommand = process.env["npm_command"] === "exec" ? "npx assay" : "assay";
