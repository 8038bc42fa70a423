/** The files and answers that a visit begins with, as paths of the venue. */
export type StartFiles = {
  /** The app's entry first, then everything that it imports. */
  entry: readonly string[]
  /** What the pages that visits begin with need beyond the entry, by the page's path. */
  pages: Readonly<Record<string, readonly string[]>>
  /** What these pages load once they are painted, by path: on a slow network it arrives while the app starts. */
  later: Readonly<Record<string, readonly string[]>>
  /** The language packs, by language. */
  packs: Readonly<Record<string, readonly string[]>>
  /** See firstAnswers.ts. */
  answers: Readonly<Record<string, readonly string[]>>
  guestAnswers: Readonly<Record<string, readonly string[]>>
  barsAnswer: string
  figureAnswers: Readonly<Record<string, string>>
}
