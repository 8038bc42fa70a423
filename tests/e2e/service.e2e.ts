import en from '../../locales/en.json' with { type: 'json' }
import zhCN from '../../locales/zh-CN.json' with { type: 'json' }
import { postToOffice } from './officeCalls.ts'
import { logIn, openHome, product } from './member.ts'
import { expect, test } from './test.ts'

test('a member writes to customer service and reads the answer @short', async ({ page }) => {
  const { account } = await logIn(page)
  await page.goto('/#/pages/service/service')
  const box = page.getByRole('textbox', { name: en.service.write })
  await box.fill('Where is my deposit?')
  await page.reload()
  await expect(box).toHaveValue('Where is my deposit?')
  await page.getByRole('button', { name: en.service.send }).click()
  await expect(page.getByRole('log')).toContainText('Where is my deposit?')
  await expect(box).toHaveValue('')

  await page.locator('input[type=file]').setInputFiles({
    name: 'slip.png',
    mimeType: 'image/png',
    buffer: await page.screenshot({ clip: { x: 0, y: 0, width: 40, height: 30 } }),
  })
  await expect(page.getByText(en.service.photoReady)).toBeVisible()
  await page.getByRole('button', { name: en.service.send }).click()
  const photo = page.getByRole('log').getByRole('img', { name: en.service.photo })
  await expect(photo).toBeVisible()
  await expect.poll(() => photo.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(40)
  await page.getByRole('button', { name: en.service.photoOpen }).click()
  await expect(page.getByRole('dialog').getByRole('img', { name: en.service.photo })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: en.common.close }).click()
  await expect(page.getByRole('dialog')).toBeHidden()

  await postToOffice(page, `/service/${account}`, { body: 'We are looking.' })
  await expect(page.getByRole('log')).toContainText('We are looking.')

  await page.goto('/#/pages/index/index')
  await postToOffice(page, `/service/${account}`, { body: 'It is there.' })
  const tile = page.getByRole('link', { name: new RegExp(`${en.home.support}$`) })
  await expect(tile).toHaveText(`1 ${en.message.unread}${en.home.support}`)
  await tile.click()
  await expect(page.getByRole('log')).toContainText('It is there.')
  await page.goBack()
  await expect(tile).toHaveText(en.home.support)
})

test('a settled order sends a message, and messages are marked as read one by one or all at once', async ({
  page,
}) => {
  const { account } = await openHome(page)
  const bell = (count: number) =>
    page.getByRole('link', { name: en.message.bell_other.replace('{{count}}', String(count)) })
  await expect(bell(1)).toBeVisible()
  await page.goto(product('BTCUSDT'))
  await page.getByRole('radio', { name: en.ticket.seconds.replace('{{n}}', '5') }).check()
  await page.getByRole('button', { name: en.ticket.buyUp }).click()
  await page.getByRole('dialog').getByRole('button', { name: en.ticket.buyUp }).click()
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.goto('/#/pages/message/message')
  const hour = page.getByRole('button', { name: /^1 order closed/ })
  await expect(hour).toContainText(en.message.unread)
  await hour.click()
  await page.getByRole('link', { name: /^BTC\/USDT: / }).click()
  await expect(page.getByRole('heading', { name: en.proof.title })).toBeVisible()
  await page.goBack()
  await expect(hour).toBeVisible()
  await expect(hour).not.toContainText(en.message.unread)

  await postToOffice(page, '/messages', {
    to: account,
    title: 'Holiday',
    body: 'The market **rests**.',
    lang: 'en',
  })
  await expect(page.getByText('rests')).toBeVisible()
  await page.getByRole('button', { name: en.message.readAll }).click()
  await expect(page.getByText(en.message.markRead)).toHaveCount(0)
  await page.goto('/#/pages/index/index')
  await expect(page.getByRole('link', { name: en.nav.messages, exact: true }).first()).toBeVisible()
  await expect(bell(1)).toHaveCount(0)
})

test('articles change with the language', async ({ page }) => {
  await openHome(page)
  const highlights = page.getByRole('region', { name: en.home.highlights })
  await expect(highlights.getByRole('link', { name: /Check every result yourself/ })).toBeVisible()
  await page.getByRole('combobox', { name: en.common.language }).selectOption('zh-CN')
  const card = page
    .getByRole('region', { name: zhCN.home.highlights })
    .getByRole('link', { name: /结果均可亲自验证/ })
  await card.click()
  await expect(page.getByRole('heading', { name: '结果均可亲自验证' })).toBeVisible()
  await expect(page.getByRole('heading', { name: zhCN.news.highlight })).toBeVisible()
  for (const path of ['aboutUs/aboutUs', 'yinsi/yinsi', 'yinsi/gy']) {
    await page.goto(`/#/pages/${path}`)
    await expect(page.locator('article h2').first()).toBeVisible()
  }
})
