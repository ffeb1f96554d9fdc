const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `2026-11-21T08:36:54Z` as `21 Nov 2026`, in UTC. */
export function formatDate(iso: string): string {
  const date = new Date(iso);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `2026-11-21T08:36:54Z` as `21 Nov 2026, 08:36 UTC`. */
export const formatTime = (iso: string): string => `${formatDate(iso)}, ${iso.slice(11, 16)} UTC`;

/** Milliseconds as `4 min 12 s`, `2.3 s`. */
export function formatDuration(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)}\u202fs`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}\u202fmin ${Math.round(seconds % 60)}\u202fs`;
  return `${Math.floor(minutes / 60)}\u202fh ${minutes % 60}\u202fmin`;
}
