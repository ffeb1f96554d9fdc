/**
 * A model in a record. Who runs it and whether its weights are open is not asked of submitters.
 * @example recordedModel("Large", "acme/large", {}).id // "acme/large"
 */
export function recordedModel(name: string, id: string, details: Readonly<Record<string, string>>) {
  const unknown = { deployment_type: "unknown", model_availability: "unknown" };
  return { name, id, additional_details: { ...unknown, ...details } };
}
