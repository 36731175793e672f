import { expect, test } from './support/intruder.ts'

test('the page runs no text as a script, in whatever way it tries', async ({ page }) => {
  const ran = await page.evaluate(async () => {
    // Waits for the end of the debugger's own evaluation, which may do what a page may not.
    await new Promise((resolve) => setTimeout(resolve))
    const code = 'window.broken = (window.broken ?? 0) + 1'
    const ways: Record<string, () => unknown> = {
      eval: () => (0, eval)(code),
      function: () => new Function(code)(),
      timer: () => setTimeout(code as never),
      'inline script': () =>
        document.body.append(Object.assign(document.createElement('script'), { textContent: code })),
      'text node in a script': () => {
        const script = document.createElement('script')
        script.append(code)
        document.body.append(script)
      },
      'script of data': () =>
        document.body.append(Object.assign(document.createElement('script'), { src: `data:text/javascript,${code}` })),
      'script of a blob': () => {
        const src = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
        document.body.append(Object.assign(document.createElement('script'), { src }))
      },
      'import of data': () => import(/* @vite-ignore */ `data:text/javascript,${code}`),
      'handler in markup': () => (document.body.innerHTML += `<img src="x" onerror="${code}">`),
      'markup put beside': () => document.body.insertAdjacentHTML('beforeend', `<img src="x" onerror="${code}">`),
      'handler as an attribute': () => {
        const image = document.createElement('img')
        image.setAttribute('onerror', code)
        image.setAttribute('src', 'x:')
        document.body.append(image)
      },
      'parsed markup': () =>
        document.body.append(...new DOMParser().parseFromString(`<svg onload="${code}"/>`, 'text/html').body.children),
      'document of a frame': () =>
        document.body.append(
          Object.assign(document.createElement('iframe'), { srcdoc: `<script>parent.${code}</script>` }),
        ),
      'written into the document': () => document.write(`<script>${code}</script>`),
      'javascript: as a link': () => Object.assign(document.createElement('a'), { href: `javascript:${code}` }).click(),
      'javascript: as an address': () => (location.href = `javascript:${code}`),
      'worker of a blob': () => new Worker(URL.createObjectURL(new Blob([code]))),
      'a policy of its own': () => {
        const { trustedTypes } = window as unknown as { trustedTypes: Factory }
        const made = trustedTypes.createPolicy('mine', { createScript: (text: string) => text })
        ;(0, eval)(made.createScript(code) as string)
      },
      'Svelte’s policy once more': () => {
        const { trustedTypes } = window as unknown as { trustedTypes: Factory }
        const made = trustedTypes.createPolicy('svelte-trusted-html', { createHTML: (text: string) => text })
        document.body.innerHTML += made.createHTML(`<img src="x" onerror="${code}">`) as string
      },
      'a service worker': () => navigator.serviceWorker?.register('data:text/javascript,1'),
    }
    const went: string[] = []
    for (const [name, way] of Object.entries(ways)) {
      try {
        await Promise.race([way(), new Promise((resolve) => setTimeout(resolve, 100))])
        await new Promise((resolve) => setTimeout(resolve, 50))
      } catch {
        // A refusal at once is fine: the test checks what runs.
      }
      const global = window as unknown as { broken?: number }
      if (global.broken !== undefined) went.push(name)
      delete global.broken
    }
    return went

    interface Factory {
      createPolicy(name: string, rules: object): Record<'createScript' | 'createHTML', (text: string) => unknown>
    }
  })
  expect(ran).toEqual([])
})

test('each rule of the content policy refuses what it is for', async ({ page }) => {
  const refused = await page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve))
    const refused = new Set<string>()
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.add(effectiveDirective))
    const add = (name: string, properties: object) =>
      document.body.append(Object.assign(document.createElement(name), properties))
    const origin = 'https://example.com'
    const ways: (() => unknown)[] = [
      () => fetch(origin),
      () => add('iframe', { src: 'data:text/html,' }),
      () => add('audio', { src: `${origin}/audio` }),
      () => add('img', { src: `${origin}/image` }),
      () => add('style', { textContent: '* {}' }),
      () => add('base', { href: origin }),
      () => new FontFace('x', `url(${origin}/font)`).load(),
      () => import(/* @vite-ignore */ `${origin}/module.js`),
      () => (document.body.innerHTML += ''),
      () => (window as unknown as Policies).trustedTypes.createPolicy('mine', {}),
      () => {
        const form = Object.assign(document.createElement('form'), { action: origin })
        document.body.append(form)
        form.submit()
      },
    ]
    for (const way of ways) await Promise.race([(async () => way())(), wait(100)]).catch(() => undefined)
    await wait(500)
    return [...refused].sort()

    function wait(ms: number): Promise<void> {
      return new Promise((resolve) => setTimeout(resolve, ms))
    }
    interface Policies {
      trustedTypes: { createPolicy(name: string, rules: object): unknown }
    }
  })
  expect(refused).toEqual([
    'base-uri',
    'connect-src',
    'font-src',
    'form-action',
    'frame-src',
    'img-src',
    'media-src',
    'require-trusted-types-for',
    'script-src-elem',
    'style-src-elem',
    'trusted-types',
  ])
})
