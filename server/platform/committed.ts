/** The answer of a change that a transaction makes, and what to publish after its commit. */
export type Committed<T> = { answer: T; afterCommit?: () => void }
