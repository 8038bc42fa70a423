/** Lets the page render and handle input between two chunks of work. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
