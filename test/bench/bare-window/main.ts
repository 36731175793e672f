import { mount } from 'svelte'
import Table from './Table.svelte'
import type { Shown } from './shown.ts'

// The benchmark writes `shown.js`, with the rows, into the folder of the page.
const { shown } = (await import(/* @vite-ignore */ new URL('./shown.js', location.href).href)) as { shown: Shown }
const target = document.getElementById('table')
if (target) mount(Table, { target, props: shown })
