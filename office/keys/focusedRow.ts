/** Opens the row with the focus ring if it is not open yet; says whether there was one. */
export function openFocusedRow(): boolean {
  const row = document.activeElement
  if (!(row instanceof HTMLTableRowElement) || !row.matches('[data-rows] > tr[aria-selected="false"]'))
    return false
  row.click()
  return true
}
