/** Unicode's skeleton of a text (UTS 39): two texts with one skeleton can be taken for one another. */
type Skeleton = (text: string) => string

/** Its table is only loaded to name one of the staff. */
async function loadSkeleton(): Promise<Skeleton> {
  const { default: unhomoglyph } = await import('unhomoglyph')
  return (text) => unhomoglyph(text.normalize('NFD')).normalize('NFD')
}

/**
 * Without invisible characters and word separators: `ada.` at the end of a line is taken for `ada`, and `ada-l` for
 * `ada_l`.
 */
const lettersOf = (text: string): string => text.replace(/[\p{Default_Ignorable_Code_Point}\p{P}\p{Z}]/gu, '')

/** How a name looks, whatever its case and punctuation. The database has no two members of staff who look the same. */
export const lookKey = async (name: string): Promise<string> => lookOf(await loadSkeleton(), name)

const lookOf = (skeleton: Skeleton, name: string): string =>
  skeleton(skeleton(lettersOf(name.normalize('NFKC'))).toLowerCase())

/** As typed, and in lower case: a capital may look like another letter than the small one. */
const looksOf = (skeleton: Skeleton, name: string): readonly string[] => [
  lookOf(skeleton, name),
  lookOf(skeleton, name.toLowerCase()),
]

/** Whether a name can be taken for one of these. */
export async function looksLikeOne(name: string, others: Iterable<string>): Promise<boolean> {
  const skeleton = await loadSkeleton()
  const looks = looksOf(skeleton, name)
  for (const other of others) if (looksOf(skeleton, other).some((look) => looks.includes(look))) return true
  return false
}
