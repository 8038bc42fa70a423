/** `name` is the first part of the address, `id` the second one. */
export type ScreenProps = { name: string; id: string | null; query: URLSearchParams }
