import type { Locator } from '@playwright/test'

/** Fills a field as some password managers do: the value last, and no event after it. */
export const fillLate = (field: Locator, text: string): Promise<void> =>
  field.evaluate((element, value) => {
    element.dispatchEvent(new Event('input', { bubbles: true }))
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(element, value)
  }, text)
