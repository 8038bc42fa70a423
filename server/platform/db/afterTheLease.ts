/** Longer than a venue whose lease is lost takes to notice and end, also on a busy machine. */
const delayMs = 2000

/**
 * Reports the failure of a session later. Who takes over ends all sessions of the venue before, which then ends with
 * the one line that says so: what its sessions reported would only hide it.
 */
export const afterTheLease =
  (report: (error: unknown) => void) =>
  (error: unknown): void =>
    void setTimeout(() => report(error), delayMs).unref()
