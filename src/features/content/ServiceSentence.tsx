import { splitTag } from '../../text/splitTag.ts'
import { useServiceHref } from '../../hooks/useVenue.ts'
import { TextLink } from '../../ui/index.ts'

/** A sentence whose text inside `<service>…</service>` links to customer service. */
export function ServiceSentence({ text }: { text: string }) {
  const href = useServiceHref()
  const [before, inside, after] = splitTag(text, 'service')
  return (
    <>
      {before}
      <TextLink href={href}>{inside}</TextLink>
      {after}
    </>
  )
}
