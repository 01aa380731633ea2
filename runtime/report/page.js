// Sliders choose the picture that is seen.
for (const figure of document.querySelectorAll('.series')) {
  const slider = figure.querySelector('input'), images = figure.querySelectorAll('img');
  if (slider) slider.addEventListener('input', () => {
    images.forEach((image, i) => { image.hidden = i !== Number(slider.value); });
    figure.querySelector('output').textContent = images[slider.value].dataset.when;
  });
}
