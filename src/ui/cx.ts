/** Joins the truthy class names: `cx(styles.row, open && styles.open)`. */
export function cx(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
