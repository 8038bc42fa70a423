/**
 * The pinyin initials of Chinese text, by the collation every browser brings: a character sorts behind the first
 * one of its initial. No dictionary is shipped for it.
 */
const collator = new Intl.Collator('zh-CN-u-co-pinyin')
/** The first character of each initial; no syllable begins with i, u or v. */
const firsts: readonly (readonly [initial: string, character: string])[] = [
  ['a', '阿'],
  ['b', '八'],
  ['c', '嚓'],
  ['d', '哒'],
  ['e', '妸'],
  ['f', '发'],
  ['g', '旮'],
  ['h', '哈'],
  ['j', '讥'],
  ['k', '咔'],
  ['l', '垃'],
  ['m', '痳'],
  ['n', '拏'],
  ['o', '噢'],
  ['p', '妑'],
  ['q', '七'],
  ['r', '呥'],
  ['s', '扨'],
  ['t', '它'],
  ['w', '穵'],
  ['x', '夕'],
  ['y', '丫'],
  ['z', '帀'],
]

/** 黄金现货 → `hjxh`. Characters that are not Chinese stay, in lower case. */
export function pinyinInitials(text: string): string {
  return Array.from(text.toLowerCase(), (character) => {
    if (!/\p{Script=Han}/u.test(character)) return character
    return firsts.findLast(([, first]) => collator.compare(first, character) <= 0)?.[0] ?? character
  }).join('')
}
