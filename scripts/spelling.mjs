import { readFileSync, readdirSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import dictionary from 'dictionary-en-gb'
import nspell from 'nspell'

/**
 * Checks the spelling of all English in the project, British with `-ise`: documents, packs, texts for members, comments;
 * and that it has no other word for what has one. Names and terms that no dictionary has are in `docs/words.txt`, one a
 * line. `npm run spelling -- FILE…` checks these files only.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const wordsFile = 'docs/words.txt'
const otherFolders = /(^|\/)(node_modules|dist|data|recordings|test-results|playwright-report|\.git)(\/|$)/
const code = new Set(['.ts', '.tsx', '.mjs', '.js', '.css', '.sql'])
const packs = new Set(['locales/en.json', 'office/locales/en.json', 'office/canned/en.json'])
/** Texts in other languages, and tables that are generated or about other languages. */
const otherTexts =
  /\.(?!en\b)[a-z]{2}(-[A-Z]{2})?\.md$|(texts|short)\/(?!en\.)[\w-]+\.md$|specification-coverage\.md$|^locales\/README\.md$/

/** What the project calls otherwise, or says more shortly. */
const otherWords = [
  [/\bself-audits?\b/gi, 'nightly check'],
  [/\bstaff audit\b|\brows? of the audit\b|\bin the audit\b/gi, 'act log'],
  [/\bplay money\b/gi, 'practice money'],
  [/\be-mails?\b/gi, 'email'],
  [/\bin order to\b/gi, 'to'],
  [/\b(utilis|leverag)\w+/gi, 'use'],
  [/\b(whilst|amongst)\b/gi, 'while, among'],
  [/(?<![-\w])(?!that|had|b\b)([a-z]+) \1\b/gi, 'once'],
]

/** What is not prose: names of code, addresses, variables, tags, attributes, paths, options. */
const notProse = new RegExp(
  [
    /@vitest-environment \S+|oxlint-disable.*/,
    /\{@link[^}]*\}|\{\{.*?\}\}|@param (\{.*?\} )?\S+|@\w[\w-]*(\/[\w-]+)?/,
    /`[^`\n]*(\n[^`\n]*)?`|[\w-]+="[^"]*"|<\/?\w+>|&\w+;|\\[ux][\da-fA-F]+|\\n/,
    /\bhttps?:\S+|\S*\w[/\\_=@#.]+\w\S*|\S*[a-z\d][A-Z]\S*|--[\w-]+/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)
const blank = (text) => text.replaceAll(/[^\n]/g, ' ')

function commentsOf(file, text) {
  const comments = file.endsWith('.sql') ? /--.*$/gm : /(?<=^|[\s;{(])\/\*[^]*?\*\/|(?<=^|[\s;])\/\/.*$/gm
  let shown = ''
  let end = 0
  for (const match of text.matchAll(comments)) {
    shown += blank(text.slice(end, match.index)) + match[0]
    end = match.index + match[0].length
  }
  return shown
}

const markdownOf = (text) =>
  text
    .replace(/^---\n[^]*?\n---\n/, blank)
    .replaceAll(/^ *(```|~~~)[^]*?^ *\1/gm, blank)
    .replaceAll(/<!--[^]*?-->|\]\([^)]*\)/g, blank)

function proseOf(file) {
  const text = readFileSync(join(root, file), 'utf8')
  const read = () => {
    if (file.endsWith('.json')) return text.replaceAll(/^\s*"[^"]*":/gm, blank).replaceAll('\u00AD', '')
    return code.has(extname(file)) ? commentsOf(file, text) : markdownOf(text)
  }
  return read().replaceAll(notProse, blank)
}

const accepted = new Set(readFileSync(join(root, wordsFile), 'utf8').trim().split('\n'))
const unused = new Set(accepted)
const speller = nspell({ aff: Buffer.from(dictionary.aff), dic: Buffer.from(dictionary.dic) })
const known = new Map()

function isKnown(word) {
  const before = known.get(word)
  if (before !== undefined) return before
  const is = speller.correct(word) || isAccepted(word) || isKnownInParts(word)
  known.set(word, is)
  return is
}

function isAccepted(word) {
  const singular = word.replace(/s$/, '')
  const own = [word, word.toLowerCase(), singular, singular.toLowerCase()].find((form) => accepted.has(form))
  unused.delete(own)
  return own !== undefined
}

function isKnownInParts(word) {
  const parts = word.split('-')
  return parts.length > 1 && parts.every(isKnown)
}

/** Words of Latin letters. Capitals only are an abbreviation. */
function* wordsOf(prose) {
  for (const { 0: word, index } of prose.matchAll(/(?<![\p{L}\d])\p{L}[\p{L}’'-]*(?![\p{L}\d])/gu)) {
    const stem = word.replaceAll('’', "'").replace(/'s?$/, '').replace(/-+$/, '')
    if (stem.length > 1 && /^[\p{Script=Latin}'-]+$/u.test(stem) && /\p{Ll}/u.test(stem))
      yield { word, stem, index }
  }
}

function findingsOf(file) {
  const prose = proseOf(file)
  const at = (index) => `${file}:${prose.slice(0, index).split('\n').length}`
  const unknown = [...wordsOf(prose)].filter(({ word, stem }) => !isKnown(stem) && !speller.correct(word))
  const other = otherWords.flatMap(([pattern, instead]) =>
    Array.from(prose.matchAll(pattern), ({ 0: word, index }) => `${at(index)}: ${word}: ${instead}`),
  )
  return [...unknown.map(({ word, index }) => `${at(index)}: ${word}`), ...other]
}

const named = process.argv.slice(2)
const isRead = (file) => packs.has(file) || code.has(extname(file)) || extname(file) === '.md'
const files =
  named.length > 0
    ? named.map((file) => relative(root, file))
    : readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
        (file) => isRead(file) && !otherFolders.test(file) && !otherTexts.test(file),
      )
const findings = files.flatMap(findingsOf)
if (named.length === 0) for (const word of unused) findings.push(`${wordsFile}: ${word}: not needed`)
for (const finding of findings) console.error(finding)
console.log(`spelling: ${files.length} files, ${findings.length} to mend`)
if (findings.length > 0) process.exitCode = 1
