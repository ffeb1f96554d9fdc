declare module "*.jsonl?raw" {
  const text: string;
  export default text;
}
