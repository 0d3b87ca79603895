"""Which sources of the packs the shipped weights learn from, and how often.

Left out, since their release allows research only: ecssd, car_parts, weizmann_horse. The COCO sources are photographs of
Flickr under a licence each, with annotations under CC BY 4.0.
"""

COCO = {"coco_frag", "coco_person"}

OPEN = {
    "animals_komahomu",
    "balloon",
    "borrat_person",
    "brain_tumor",
    "car_damage",
    "ccp",
    "class5_objects",
    "dog_cat",
    "dsb2018",
    "embryo",
    "facade",
    "feral_cat",
    "fire_truck",
    "food_rezayoga",
    "iotkits",
    "mandarin",
    "medical_waste",
    "mushroom",
    "person_awwaliahus",
    "person_tlinh",
    "plant_parts",
    "pothole",
}

TRAINED = COCO | OPEN

# Weight of a source in the draw; of the others, the number of their masks to the power of 3/4. Everyday scenes come
# often, clothes and panels, of which there are most, and sources with rough masks seldom.
SHARES = {
    "coco_frag": 2200,
    "coco_person": 500,
    "animals_komahomu": 650,
    "feral_cat": 300,
    "class5_objects": 250,
    "ccp": 450,
    "car_damage": 30,
    "brain_tumor": 15,
    "dog_cat": 120,
    "borrat_person": 120,
    "balloon": 100,
    "fire_truck": 90,
}
