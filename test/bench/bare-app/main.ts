import { mount } from 'svelte'
import List from './List.svelte'

const target = document.getElementById('list')
if (target) mount(List, { target })
