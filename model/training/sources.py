"""Sources of the packs that the shipped weights are trained on, and their weights.

Left out, since their licences allow only research: ecssd, car_parts, weizmann_horse. The COCO sources are photographs from
Flickr, each with its own licence, with annotations under CC BY 4.0.
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

# Sampling weights of sources; the weight of any other source is the number of its masks to the power of 3/4. Everyday scenes are
# sampled often; clothes and panels, which have the most masks, and sources with rough masks rarely.
SHARES = {
    "coco_frag": 2200,
    "coco_person": 500,
    "animals_komahomu": 750,
    "feral_cat": 500,
    "class5_objects": 250,
    "ccp": 450,
    "car_damage": 30,
    "brain_tumor": 15,
    "dog_cat": 120,
    "borrat_person": 120,
    "balloon": 100,
    "fire_truck": 90,
}
