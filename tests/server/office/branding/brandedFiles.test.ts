import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { languages, type Language } from '../../../../contract/constants.ts'
import { SettingsError } from '../../../../server/platform/settingsError.ts'
import { brandedFiles } from '../../../../server/office/branding/brandedFiles.ts'
import { loadPack } from '../../../../server/platform/packs.ts'
import { withDatabase, withVenue } from '../../../support/withVenue.ts'

const page = `<!doctype html><html lang="en" data-app="/a.js"><head><title>Uptick</title></head><body>
<span><svg data-logo="true" class="m" width="26" height="26" viewBox="0 0 24 24"><path d="M3 18"></path></svg><span>Uptick</span></span>
<footer class="c" data-company="true"></footer></body></html>`
const plain = { name: 'Uptick', colours: { light: {}, dark: {} }, logWitnesses: [] }

const welcomeIn = async (language: Language) => (await loadPack(language)).welcome

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'brand-'))
  await mkdir(join(folder, 'office'))
  for (const language of languages) await writeFile(join(folder, `index.${language}.html`), page)
  await writeFile(
    join(folder, 'office/index.html'),
    '<html lang="zh-CN"><head><title>Uptick</title></head></html>',
  )
  await writeFile(
    join(folder, 'oldBrowser.html'),
    '<html lang="en"><head><title>Uptick</title></head></html>',
  )
  await writeFile(join(folder, 'manifest.en.webmanifest'), '{"name":"Uptick","short_name":"Uptick"}')
  const logo = sharp({ create: { width: 8, height: 8, channels: 3, background: '#0a6b5e' } })
  await logo.png().toFile(join(folder, 'logo.png'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('the files of the build', () => {
  it('stay as they are without a brand', async () => {
    expect([...(await brandedFiles(folder, plain))]).toEqual([])
  })

  it('carry name, company and colours, as text and never as markup', async () => {
    const files = await brandedFiles(folder, {
      ...plain,
      name: 'A & "B" <i>$&',
      colours: { light: { accent: '#0a6b5e' }, dark: {} },
      company: { name: 'A & B Ltd.', licence: 'No. 1', address: ['1 Road'] },
    })
    const branded = String(files.get('index.en.html'))
    const name = 'A &amp; &quot;B&quot; &lt;i&gt;$&amp;'
    expect(branded).toContain(`<html data-name="${name}" lang="en"`)
    expect(branded).toContain(`<title>${name}</title>`)
    expect(branded).toContain('<link rel="stylesheet" href="/brand.css" /></head>')
    expect(branded).toContain('<span>A &amp; B Ltd.</span><span>No. 1</span><span>1 Road</span></footer>')
    expect(branded).not.toContain('Uptick')
    expect(branded).toContain('<svg data-logo')
    expect(String(files.get('office/index.html'))).toContain(`<title>${name}</title>`)
    expect(JSON.parse(String(files.get('manifest.en.webmanifest')))).toMatchObject({ name: 'A & "B" <i>$&' })
    expect(String(files.get('brand.css'))).toContain('--accent: #0a6b5e')
  })

  it('have the logo in place of the mark, and icons of every size', async () => {
    const files = await brandedFiles(folder, { ...plain, logo: join(folder, 'logo.png') })
    const branded = String(files.get('index.en.html'))
    expect(branded).toContain('data-logo lang')
    expect(branded).toContain('<img src="/icon.svg" alt="" class="m" width="26" height="26"><span>')
    expect(branded).not.toContain('<svg')
    expect(String(files.get('icon.svg'))).toContain('href="data:image/png;base64,')
    const sizes = [
      'icons/icon-192.png',
      'icons/icon-512.png',
      'icons/maskable-512.png',
      'icons/apple-touch-icon.png',
    ]
    const widths = await Promise.all(
      sizes.map(async (file) => (await sharp(files.get(file)).metadata()).width),
    )
    expect(widths).toEqual([192, 512, 512, 180])
  })

  it('say that a later change would show only where others sign the public log', async () => {
    const own = join(folder, 'sentences')
    await mkdir(own)
    for (const language of languages) {
      const { sentence } = await welcomeIn(language)
      await writeFile(
        join(own, `index.${language}.html`),
        `<html lang="${language}"><head><meta name="description" content="${sentence}" /></head><p>${sentence}</p></html>`,
      )
      await writeFile(
        join(own, `manifest.${language}.webmanifest`),
        JSON.stringify({ name: 'Uptick', description: sentence }),
      )
    }
    expect([...(await brandedFiles(own, plain))]).toEqual([])
    const named = await brandedFiles(own, { ...plain, name: 'Goldbach' })
    const witness = { address: 'https://witness.example', key: 'example.com/w1+1234abcd+BAAA' }
    const witnessed = await brandedFiles(own, { ...plain, logWitnesses: [witness] })
    for (const language of languages) {
      const { sentence, sentenceWitnessed } = await welcomeIn(language)
      expect(String(named.get(`index.${language}.html`))).toContain(`<p>${sentence}</p>`)
      expect(String(named.get(`index.${language}.html`))).not.toContain('data-witnessed')
      const page = String(witnessed.get(`index.${language}.html`))
      expect(page).toContain(`<html data-name="Uptick" data-witnessed lang="${language}"`)
      expect(page).toContain(`content="${sentenceWitnessed}"`)
      expect(page).toContain(`<p>${sentenceWitnessed}</p>`)
      const manifest = String(witnessed.get(`manifest.${language}.webmanifest`))
      expect(JSON.parse(manifest)).toEqual({ name: 'Uptick', description: sentenceWitnessed })
    }
  })

  it('need a logo that is a picture', async () => {
    const missing = brandedFiles(folder, { ...plain, logo: join(folder, 'none.svg') })
    await expect(missing).rejects.toThrow(SettingsError)
    const text = brandedFiles(folder, { ...plain, logo: join(folder, 'office/index.html') })
    await expect(text).rejects.toThrow('cannot be used')
  })
})

it('are what the venue serves, in the language of the reader', async () => {
  const database = await withDatabase()
  const company = { name: 'A & B Ltd.', licence: 'No. 1', address: [] }
  const operatorConfig = {
    name: 'Goldbach',
    logo: join(folder, 'logo.png'),
    colours: { light: { accent: '#0a6b5e' }, dark: {} },
    company,
  }
  const venue = await withVenue({ database, clientDir: folder, operatorConfig })
  const get = (url: string) => venue.app.inject({ url, headers: { cookie: 'language=en' } })
  const home = await get('/')
  expect(home.statusCode).toBe(200)
  expect(home.headers['content-type']).toContain('text/html')
  expect(home.body).toContain('<title>Goldbach</title>')
  expect(home.body).toContain('<span>A &amp; B Ltd.</span><span>No. 1</span></footer>')
  expect(home.body).not.toContain('Uptick')
  expect((await get('/office/')).body).toContain('<title>Goldbach</title>')
  const tooOld = await get('/oldBrowser.html')
  expect([tooOld.headers['content-type'], tooOld.body]).toEqual([
    'text/html; charset=utf-8',
    expect.stringContaining('<title>Goldbach</title>'),
  ])
  const sheet = await get('/brand.css')
  expect(sheet.headers['content-type']).toContain('text/css')
  expect(sheet.body).toContain('--accent: #0a6b5e')
  const icon = await get('/icon.svg')
  expect(icon.headers['content-type']).toContain('image/svg+xml')
  const again = await venue.app.inject({
    url: '/icon.svg',
    headers: { 'if-none-match': String(icon.headers['etag']) },
  })
  expect(again.statusCode).toBe(304)
  expect((await get('/manifest.en.webmanifest')).json()).toMatchObject({ name: 'Goldbach' })
})
