/** From the observer to the bare sender: the instant of a flush as a double, and how many bytes to send, in four bytes. */
export const orderBytes = 12
