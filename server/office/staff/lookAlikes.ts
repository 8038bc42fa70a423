import unhomoglyph from 'unhomoglyph'

/** Unicode's skeleton of a text (UTS 39): two texts with one skeleton can be taken for one another. */
const skeleton = (text: string): string => unhomoglyph(text.normalize('NFD')).normalize('NFD')

/**
 * Without invisible characters and word separators: `ada.` at the end of a line is taken for `ada`, and `ada-l` for
 * `ada_l`.
 */
const lettersOf = (text: string): string => text.replace(/[\p{Default_Ignorable_Code_Point}\p{P}\p{Z}]/gu, '')

/** How a name looks, whatever its case and punctuation. The database has no two members of staff who look the same. */
export const lookKey = (name: string): string =>
  skeleton(skeleton(lettersOf(name.normalize('NFKC'))).toLowerCase())

/** As typed, and in lower case: a capital may look like another letter than the small one. */
const looksOf = (name: string): readonly string[] => [lookKey(name), lookKey(name.toLowerCase())]

/** Whether a name can be taken for one of these. */
export function looksLikeOne(name: string, others: Iterable<string>): boolean {
  const looks = looksOf(name)
  for (const other of others) if (looksOf(other).some((look) => looks.includes(look))) return true
  return false
}
