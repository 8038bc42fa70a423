/**
 * The specification's validation rules as predicates and codes, shared by the forms and the venue.
 * A rule returns a field code, or undefined if the text is valid.
 */
import type { FieldCode } from './errors.ts'
import { withoutInvisible } from './halfWidth.ts'

export const accountPattern = /^\w{6,12}$/
/** China's rule; those of other countries are a setting: see `phones.ts`. */
export const phonePattern = /^1[345789]\d{9}$/
export const captchaPattern = /^\d{4}$/
export const chineseIdPattern = /^(\d{15}|\d{17}[\dXx])$/
/** An iPhone types ’ for the apostrophe, and some names have the letter ʼ in its place. */
export const latinNamePattern = /^\p{L}[\p{L}\p{M}'’ʼ .-]{0,59}$/u
export const otherIdPattern = /^[A-Za-z0-9]{4,30}$/
export const emailPattern = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/

const passwordMin = 8
const passwordMax = 64

/** The passwords that password lists try first; rejected by the venue and the form. */
const commonPasswords = new Set(
  (
    '12345678 123456789 1234567890 password password1 password123 qwertyui qwertyuiop qwerty123 11111111 ' +
    '00000000 88888888 66666666 87654321 abcd1234 abc12345 1q2w3e4r 1qaz2wsx iloveyou sunshine princess ' +
    'football baseball superman trustno1 welcome1 letmein1 admin123 administrator passw0rd p@ssw0rd ' +
    'a1234567 a12345678 aa123456 woaini1314 woaini520 5201314520 zxcvbnm1 asdfghjkl 1234qwer qwer1234 ' +
    'q1w2e3r4 dragon12 monkey12 master12 michael1 charlie1 jordan23 computer internet whatever starwars'
  ).split(' '),
)

/** Words of this venue, which an attacker tries first here. */
const ownWords = new Set(
  'uptick trade trader traders trading timed time order orders fund desk office venue admin support'.split(
    ' ',
  ),
)

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []

/** Whether all words of a text are the venue's own or its name's; digits and signs around them change nothing. */
function hasOwnWordsOnly(text: string, venueName: string): boolean {
  const words = wordsOf(text)
  const named = new Set([...wordsOf(venueName), wordsOf(venueName).join('')])
  return words.length > 0 && words.every((word) => ownWords.has(word) || named.has(word))
}

/**
 * A password as it is hashed and compared: keyboards send one letter in several forms of Unicode. NFKC, one of the forms that NIST SP
 * 800-63B names; nothing is trimmed, and case stays.
 */
export const normalPassword = (text: string): string => text.normalize('NFKC')

/** What a password must not be: the person's account and phone, and words of the operator's name for the venue. */
export type OwnWords = { account?: string; phone?: string; venueName?: string }

export const accountRule = (text: string): FieldCode | undefined =>
  text === '' ? 'REQUIRED' : accountPattern.test(text) ? undefined : 'ACCOUNT_FORMAT'

export const openingCodeRule = (text: string): FieldCode | undefined =>
  text.trim() === '' ? 'REQUIRED' : undefined

/** 8–64 characters, neither the account nor the phone, nor only words of the venue or its name, and not a common password. */
export function passwordRule(typed: string, own: OwnWords = {}): FieldCode | undefined {
  const text = normalPassword(typed)
  if (text === '') return 'REQUIRED'
  const length = Array.from(text).length
  const lower = text.toLowerCase()
  // A foreign number is stored with its dialling code, which people leave out when they type it.
  const isForeignPhone =
    own.phone?.startsWith('+') === true && length >= passwordMin && own.phone.endsWith(text)
  const isPersonal = lower === own.account?.toLowerCase() || text === own.phone || isForeignPhone
  const weak = length < passwordMin || length > passwordMax || isPersonal || commonPasswords.has(lower)
  return weak || new Set(lower).size === 1 || hasOwnWordsOnly(text, own.venueName ?? '')
    ? 'PASSWORD_WEAK'
    : undefined
}

/** Six digits, not one digit repeated, not a run up or down. */
export function transactionPasswordRule(text: string): FieldCode | undefined {
  if (text === '') return 'REQUIRED'
  if (!/^\d{6}$/.test(text)) return 'TRANSACTION_PASSWORD_FORMAT'
  const steps = new Set(Array.from(text.slice(1), (digit, i) => Number(digit) - Number(text[i])))
  const guessable = steps.size === 1 && (steps.has(0) || steps.has(1) || steps.has(-1))
  return guessable ? 'TRANSACTION_PASSWORD_FORMAT' : undefined
}

export const passwordDiffers = (old: string, password: string): FieldCode | undefined =>
  normalPassword(password) === normalPassword(old) ? 'PASSWORD_SAME' : undefined

export const passwordsMatch = (password: string, confirm: string): FieldCode | undefined =>
  normalPassword(password) === normalPassword(confirm) ? undefined : 'PASSWORD_MISMATCH'

export const transactionPasswordsMatch = (password: string, confirm: string): FieldCode | undefined =>
  password === confirm ? undefined : 'TRANSACTION_PASSWORD_MISMATCH'

export const captchaRule = (text: string): FieldCode | undefined =>
  text === '' ? 'REQUIRED' : captchaPattern.test(text) ? undefined : 'CAPTCHA_FORMAT'

/** Which names of Chinese nationals are accepted: how many characters, and whether a middle dot may be between them. */
export type ChineseNames = { maxLength: number; middleDot: boolean }
/** The specification's rule. Uyghur, Kazakh and other names written with a middle dot do not fit it. */
export const specifiedChineseNames: ChineseNames = { maxLength: 5, middleDot: false }

/** Chinese nationals: from 2 Chinese characters; all others: 1–60 letters with the marks names are written with. */
export function nameRule(
  text: string,
  nationality: string,
  chineseNames: ChineseNames = specifiedChineseNames,
): FieldCode | undefined {
  if (text.trim() === '') return 'REQUIRED'
  const fits = nationality === 'CN' ? isChineseName(text, chineseNames) : latinNamePattern.test(text)
  return fits ? undefined : 'NAME_FORMAT'
}

const chineseNamePattern = /^\p{Script=Han}+(?:·\p{Script=Han}+)*$/u

function isChineseName(text: string, { maxLength, middleDot }: ChineseNames): boolean {
  const length = Array.from(text.replaceAll('·', '')).length
  const isAllowed = middleDot || !text.includes('·')
  return isAllowed && length >= 2 && length <= maxLength && chineseNamePattern.test(text)
}

/** A name as it is sent: trimmed, without invisible marks; of the dots that keyboards offer, the one on identity cards. */
export function plainName(text: string, nationality: string): string {
  const name = withoutInvisible(text).trim()
  return nationality === 'CN' ? name.replace(/\s*[·•‧∙⋅・･．]\s*/g, '·') : name
}

/** Chinese nationals: 15 or 18 digits, the last may be X; all others: 4–30 letters or digits. */
export function idNumberRule(text: string, nationality: string): FieldCode | undefined {
  if (text.trim() === '') return 'REQUIRED'
  const pattern = nationality === 'CN' ? chineseIdPattern : otherIdPattern
  return pattern.test(text) ? undefined : 'ID_FORMAT'
}

/** The standard pattern; an empty address is valid, because the address is optional. */
export const emailRule = (text: string): FieldCode | undefined =>
  text === '' || (text.length <= 254 && emailPattern.test(text)) ? undefined : 'EMAIL_FORMAT'
