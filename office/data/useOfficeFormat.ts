import { formatOf, type Format } from '../../src/text/format.ts'
import { currentLanguage, useTexts } from '../i18n.ts'
import { useStaff } from '../state/staff.ts'

/** Formats in the current language; times are in the venue's zone, as members see them. */
export function useOfficeFormat(): Format {
  useTexts()
  return formatOf(currentLanguage(), useStaff().session?.zone)
}
