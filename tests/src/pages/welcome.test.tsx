// @vitest-environment happy-dom
import { Router } from 'wouter'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { languages } from '../../../contract/constants.ts'
import { changeLanguage, startI18n } from '../../../src/text/i18n.ts'
import { Welcome } from '../../../src/pages/welcome/Welcome.tsx'
import { useHashPath, useHashSearch } from '../../../src/router/hashLocation.ts'
import { loadPack } from '../../../server/platform/packs.ts'
import { mount } from '../ui/mount.tsx'

beforeAll(() => startI18n())
afterEach(() => document.documentElement.removeAttribute('data-witnessed'))

const sentence = async () => {
  await mount(
    <Router hook={useHashPath} searchHook={useHashSearch}>
      <Welcome />
    </Router>,
  )
  return document.querySelector('h1 + p')?.textContent
}

it.each(languages)(
  'does not say that a later change would show if nobody signs the log (%s)',
  async (language) => {
    await changeLanguage(language)
    expect(await sentence()).toBe((await loadPack(language)).welcome.sentence)
  },
)

it.each(languages)('says that a later change would show if others sign the log (%s)', async (language) => {
  document.documentElement.dataset['witnessed'] = ''
  await changeLanguage(language)
  expect(await sentence()).toBe((await loadPack(language)).welcome.sentenceWitnessed)
})
