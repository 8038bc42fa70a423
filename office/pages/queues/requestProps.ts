export type RequestProps = {
  id: string
  /** Opens the next one. */
  onDecided: () => void
  onClose: () => void
  /** Leaves it in its queue and opens the next one; undefined if it does not wait there. */
  onSetAside?: (() => void) | undefined
}
