import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { languages, type Language } from '../../contract/constants.ts'
import { readPack } from '../support/textPack.ts'

const root = join(import.meta.dirname, '../..')
const seeds = join(root, 'server/office/content/seed')

/** What SECURITY.md does not hold: it says who can. */
const nobodyCan: Record<Language, RegExp> = {
  'zh-CN': /没有人能|任何人都(不能|无法)/,
  'zh-TW': /無人能|沒有人能|任何人都(不能|無法)/,
  en: /(no one|nobody)( else)? can/i,
  ja: /誰[もに]/,
  th: /ไม่มีใคร/,
  vi: /không ai/i,
  id: /tidak ada (orang )?yang (bisa|dapat)/i,
  ko: /누구도/,
  fr: /personne (d’autre )?ne p/i,
  de: /niemand (sonst )?kann/i,
}
/** Nobody can open a closed account again, nobody gets its name, and nobody knows the price in a minute. */
const holds: ReadonlySet<string> = new Set(['ownData.confirmText', 'ownData.staysText', 'risk'])

it.each(languages)('no text promises what nobody can do, unless that holds (%s)', (language) => {
  const pages = readdirSync(seeds).flatMap((folder) =>
    readdirSync(join(seeds, folder))
      .filter((file) => file.endsWith(`.${language}.md`))
      .map((file) => [file.split('.')[0] ?? '', readFileSync(join(seeds, folder, file), 'utf8')] as const),
  )
  const texts = [...readPack(join(root, 'locales', `${language}.json`)), ...pages]
  expect(pages).toHaveLength(9)
  expect(texts.filter(([name, text]) => nobodyCan[language].test(text) && !holds.has(name))).toEqual([])
})

it('the manifest of a browser without a language has the description of the landing page', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'public/manifest.webmanifest'), 'utf8')) as object
  const pack = readPack(join(root, 'locales/zh-CN.json'))
  expect(manifest).toMatchObject({ description: pack.get('welcome.sentence') })
})
