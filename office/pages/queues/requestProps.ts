export type RequestProps = {
  id: string
  /** Opens the next one. */
  onDecided: () => void
  onClose: () => void
}
