import { EmptyState } from '../ui/EmptyState.tsx'
import { Button } from '../ui/Button.tsx'

/** The language pack could not be loaded, so these texts are inline, in the default language and in English. */
export function StartFailure() {
  return (
    <EmptyState
      icon="cloud-slash"
      title="加载失败 / Could not start"
      action={
        <Button icon="arrow-clockwise" onClick={() => location.reload()}>
          重试 / Try again
        </Button>
      }
    >
      请检查网络后重试。Check your connection and try again.
    </EmptyState>
  )
}
