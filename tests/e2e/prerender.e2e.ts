import type { Locator, Page } from '@playwright/test'
import de from '../../locales/de.json' with { type: 'json' }
import en from '../../locales/en.json' with { type: 'json' }
import ja from '../../locales/ja.json' with { type: 'json' }
import zhCN from '../../locales/zh-CN.json' with { type: 'json' }
import { paths, tabPaths } from '../../src/paths.ts'
import { firstAnswers } from '../../src/start/firstAnswers.ts'
import { logIn, product } from './member.ts'
import { expect, test } from './test.ts'

const packs = { 'zh-CN': zhCN, ja, de }

/** Blocks the app's code, so that the page shows only what is prerendered. */
const withoutApp = (page: Page) => page.route(/\/assets\/main-[^/]*\.js$/, (route) => route.abort())
/** Holds back the answers to requests of these addresses until the returned function is called. */
async function holdBack(page: Page, addresses: RegExp): Promise<() => void> {
  let send = (): void => undefined
  const sent = new Promise<void>((resolve) => (send = resolve))
  await page.route(addresses, async (route) => {
    await sent
    await route.continue()
  })
  return send
}

const prerendered = (page: Page) => page.locator('[data-prerendered=landing]')
const heading = (page: Page) => prerendered(page).locator('h1')

for (const [language, pack] of Object.entries(packs)) {
  test(`the landing page is prerendered in ${language}, where the app renders it${language === 'de' ? ' @short' : ''}`, async ({
    page,
    context,
    baseURL,
  }) => {
    await context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }])
    await page.addInitScript((code) => localStorage.setItem('language', code), language)
    await withoutApp(page)
    await page.goto('/')
    await expect(heading(page)).toHaveText(pack.welcome.promise)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(prerendered(page)).toBeVisible()
    await expect(prerendered(page)).toContainText(pack.welcome.riskAccept.replaceAll(/<\/?notice>/g, ''))
    const prerenderedBox = await heading(page).boundingBox()
    await page.unrouteAll()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: pack.welcome.promise })).toBeVisible()
    await expect(prerendered(page)).toHaveCount(0)
    expect(await page.locator('h1').boundingBox()).toEqual(prerenderedBox)
  })
}

test('a new visitor gets the page in Simplified Chinese, and in the chosen language from then on', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('combobox', { name: zhCN.common.language }).selectOption('de')
  await expect(page.getByRole('heading', { level: 1, name: de.welcome.promise })).toBeVisible()
  await withoutApp(page)
  await page.reload()
  await expect(heading(page)).toHaveText(de.welcome.promise)
  await expect(prerendered(page)).toBeVisible()
})

test('a language that only this device knows is shown by the app, and by the page from the next visit', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('language', 'de'))
  await withoutApp(page)
  await page.goto('/')
  await expect(heading(page)).toHaveText(zhCN.welcome.promise)
  await expect(prerendered(page)).toBeHidden()
  await page.unrouteAll()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: de.welcome.promise })).toBeVisible()
  await withoutApp(page)
  await page.reload()
  await expect(heading(page)).toHaveText(de.welcome.promise)
  await expect(prerendered(page)).toBeVisible()
})

for (const theme of ['light', 'dark'] as const) {
  test(`the prerendered page has the member’s ${theme} theme, not the system’s`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme === 'dark' ? 'light' : 'dark' })
    await page.addInitScript(
      (stored) => localStorage.setItem('preferences', JSON.stringify({ theme: stored })),
      theme,
    )
    await withoutApp(page)
    await page.goto('/')
    await expect(prerendered(page)).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
    const background = { light: 'rgb(255, 255, 255)', dark: 'rgb(12, 14, 19)' }[theme]
    await expect(page.locator('body')).toHaveCSS('background-color', background)
  })
}

test('the prerendered landing page is hidden on other pages and for members', async ({ page }) => {
  await withoutApp(page)
  await page.goto('/#/pages/product/product')
  await expect(prerendered(page)).toBeHidden()
  await page.evaluate(() => localStorage.setItem('session', '{"v":1,"token":"t","userInfo":{}}'))
  await page.goto('/?again')
  await expect(prerendered(page)).toBeHidden()
})

for (const [width, height] of [
  [390, 844],
  [1280, 800],
] as const) {
  test(`a member sees the tabs before the app runs, where the app renders them (${width} px)`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height })
    await logIn(page)
    await withoutApp(page)
    const tab = () => page.getByText(en.nav.fund, { exact: true }).filter({ visible: true })
    for (const path of Object.values(tabPaths)) {
      await page.goto('about:blank')
      await page.goto(`/#${path}`)
      await expect(tab()).toBeVisible()
    }
    const box = await tab().boundingBox()
    await page.goto('about:blank')
    await page.goto(`/#${paths.settings}`)
    await expect(page.locator('[data-prerendered]').filter({ visible: true })).toHaveCount(0)
    await page.unrouteAll()
    await page.goto('about:blank')
    await page.goto(`/#${paths.home}`)
    await expect(page.locator('[data-prerendered]')).toHaveCount(0)
    expect(await tab().boundingBox()).toEqual(box)
  })
}

for (const [width, height] of [
  [390, 844],
  [700, 900],
  [1280, 800],
] as const) {
  test(`home shows the balance and a product its price before the app runs, where the app renders them (${width} px)`, async ({
    page,
  }) => {
    await page.clock.install()
    await page.setViewportSize({ width, height })
    await logIn(page)
    const pages = {
      home: { path: `/#${paths.home}`, figure: /^10,000\.00$/ },
      product: { path: product('BTCUSDT'), figure: /^\d\d,\d{3}\.\d\d$/ },
    }
    for (const [name, { path, figure }] of Object.entries(pages)) {
      await withoutApp(page)
      await page.goto('about:blank')
      await page.goto(path)
      await expect(page.locator(`[data-prerendered=${name}]`)).toBeVisible()
      const shown = page.locator('main').getByText(figure).filter({ visible: true }).first()
      await expect(shown).toBeVisible()
      const place = async () => {
        const { x, y, width } = (await shown.boundingBox()) ?? {}
        return { x, y, width }
      }
      const before = await place()
      await page.unrouteAll()
      // The frame stays until the page's own code is there, however long after 200 ms that is.
      const files = new RegExp(`/assets/${name === 'home' ? 'Home' : 'Product'}-[^/]*\\.js$`)
      const sendPage = await holdBack(page, files)
      const connects = page.waitForEvent('websocket')
      await page.reload()
      await connects
      await page.clock.fastForward(2000)
      await expect(shown).toBeVisible()
      expect(await place()).toEqual(before)
      await expect(page.locator(`[data-prerendered=${name}]`)).toBeVisible()
      sendPage()
      await expect(page.locator('[data-prerendered]')).toHaveCount(0)
      expect(await place()).toEqual(before)
    }
  })
}

/** Where a figure is and how high, with one style after another; the width is that of its price. */
async function boxesIn(page: Page, figure: Locator, styles: readonly string[]) {
  await expect(figure).toBeVisible()
  const boxes: object[] = []
  for (const content of styles) {
    const style = await page.addStyleTag({ content })
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    const { x, y, height } = (await figure.boundingBox()) ?? {}
    boxes.push({ x, y, height })
    await style.evaluate((node) => (node as Element).remove())
  }
  return boxes
}

/** The ascent and descent of Noto Sans, which not every machine has, and of one that is higher than its lines. */
const fonts = [
  ':root {}',
  ...[
    [106.9, 29.3],
    [150, 70],
  ].map(
    ([
      ascent,
      descent,
    ]) => `@font-face { font-family: Tall${ascent}; src: local('DejaVu Sans'), local('Arial');
      ascent-override: ${ascent}%; descent-override: ${descent}%; line-gap-override: 0% }
      :root { --font: Tall${ascent} !important }`,
  ),
]

test.describe('in another font', () => {
  test.use({ bypassCSP: true })

  for (const [width, height] of [
    [320, 568],
    [390, 844],
    [844, 390],
    [1280, 800],
  ] as const) {
    test(`the figures of a frame have the box that the app gives them (${width} px)`, async ({ page }) => {
      await page.setViewportSize({ width, height })
      await logIn(page)
      for (const [path, figure] of [
        [`/#${paths.home}`, /^10,000\.00$/],
        [product('BTCUSDT'), /^\d\d,\d{3}\.\d\d$/],
      ] as const) {
        const shown = page.locator('main').getByText(figure).filter({ visible: true }).first()
        await withoutApp(page)
        await page.goto('about:blank')
        await page.goto(path)
        const before = await boxesIn(page, shown, fonts)
        await page.unrouteAll()
        await page.reload()
        await expect(page.locator('[data-prerendered]')).toHaveCount(0)
        expect(await boxesIn(page, shown, fonts), path).toEqual(before)
      }
    })
  }
})

test('a frame belongs to its address: it is hidden if another one is opened before the app runs', async ({
  page,
}) => {
  await logIn(page)
  await withoutApp(page)
  await page.goto(product('BTCUSDT'))
  await expect(page.locator('[data-prerendered=product]')).toBeVisible()
  await page.evaluate(() => (location.hash = '#/pages/Detail/Detail?id=EURUSD'))
  await expect(page.locator('[data-prerendered]').filter({ visible: true })).toHaveCount(0)
})

test('a frame whose page does not come gives way to the app’s own, which can be left', async ({ page }) => {
  await page.clock.install()
  await logIn(page)
  await page.goto('about:blank')
  await holdBack(page, /\/assets\/Product-[^/]*\.js$/)
  const connects = page.waitForEvent('websocket')
  await page.goto(product('BTCUSDT'))
  await connects
  await expect(page.locator('[data-prerendered=product]')).toBeVisible()
  await page.clock.fastForward(5000)
  await expect(page.locator('[data-prerendered]')).toHaveCount(0)
  await page.getByRole('button', { name: en.common.back }).click()
  await expect(page.getByRole('heading', { level: 1, name: en.title.products })).toBeVisible()
})

test('a member who opens the venue’s address gets home, and no code of the landing page', async ({
  page,
}) => {
  await logIn(page)
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await page.goto('/')
  await expect(page.getByText('10,000.00').first()).toBeVisible()
  expect(scripts.some((url) => /\/Home-/.test(url))).toBe(true)
  expect(scripts.filter((url) => /\/Welcome-/.test(url))).toEqual([])
})

test('an app that cannot be loaded says so above the landing page, and starts on the next try', async ({
  page,
}) => {
  await page.addInitScript(() => localStorage.setItem('language', 'zh-CN'))
  await withoutApp(page)
  await page.goto('/#/pages/login/login')
  const notice = page.getByRole('alert')
  await expect(notice).toContainText(zhCN.start.failed)
  await page.unrouteAll()
  await notice.getByRole('link', { name: zhCN.common.retry }).click()
  await expect(page.getByRole('heading', { level: 1, name: zhCN.title.login })).toBeVisible()
  await expect(notice).toBeHidden()
})

test('a browser older than the oldest gets a page that says so, its own language first', async ({ page }) => {
  const violations: string[] = []
  page.on('console', (message) => message.type() === 'error' && violations.push(message.text()))
  // As in Safari 15.3.
  await page.addInitScript(() => Reflect.deleteProperty(Object, 'hasOwn'))
  await page.addInitScript(() => localStorage.setItem('language', 'de'))
  await page.goto('/#/pages/product/product')
  await page.waitForURL('**/oldBrowser.html#de')
  await expect(page.getByRole('heading')).toHaveCount(10)
  const german = page.getByRole('heading', { name: de.start.tooOld })
  const box = await german.boundingBox()
  for (const other of await page.getByRole('heading').all()) {
    expect((await other.boundingBox())?.y).toBeGreaterThanOrEqual(box?.y ?? 0)
  }
  await expect(page.locator('section:target p')).toContainText('Chrome 108, Firefox 110, Safari 16')
  expect(violations.filter((text) => /policy|refused/i.test(text))).toEqual([])
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })
  test('the page says that it needs them', async ({ page }) => {
    await page.goto('/')
    const notice = page.locator('#no-script')
    await expect(notice).toBeVisible()
    await expect(notice).toHaveText(zhCN.start.noScript)
  })
})

test('what a member’s page shows first is requested before the app runs, and the app shows that answer', async ({
  page,
}) => {
  await logIn(page)
  for (const [path, answers] of Object.entries(firstAnswers)) {
    const expected = answers.map((address) => address.replace(':id', 'EURUSD')).toSorted()
    const requested: string[] = []
    await page.goto('about:blank')
    await page.route('**/api/**', async (route) => {
      const address = route
        .request()
        .url()
        .replace(/^https?:\/\/[^/]+/, '')
      // A second request for products is never answered. The member's own data is requested again once online.
      if (/\/products/.test(address) && requested.includes(address)) return
      requested.push(address)
      await route.continue()
    })
    await page.route(/\/assets\/main-[^/]*\.js$/, async (route) => {
      await expect.poll(() => requested.toSorted(), path).toEqual(expected)
      await route.continue()
    })
    await page.goto(`/#${path}?id=EURUSD`)
    const shown = path === paths.user ? '10,000.00' : path === paths.product ? /^Source: / : 'EUR/USD'
    await expect(page.getByText(shown).first()).toBeVisible()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  }
})

test('a member whose session has ended meanwhile logs in again and stays logged in', async ({ page }) => {
  const { account, password } = await logIn(page)
  await page.context().clearCookies({ name: /sid$/ })
  await page.goto(`/#${paths.home}`)
  await expect(page.getByRole('heading', { level: 1, name: en.title.login })).toBeVisible()
  await page.getByLabel('Username', { exact: true }).fill(account)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect(page.getByText('10,000.00').first()).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
})
