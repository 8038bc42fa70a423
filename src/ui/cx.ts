/** Joins the class names that are there: `cx(styles.row, open && styles.open)`. */
export function cx(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
